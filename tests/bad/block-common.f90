program p
  block
    integer :: i
    common /c/ i
    i = 1
  end block
end program
