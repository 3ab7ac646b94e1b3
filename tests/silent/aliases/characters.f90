program right
  character(len=8) :: c
  c = 'abcdefgh'
  call join(c(1:4), c(5:8))
  print *, c
contains
  subroutine join(a, b)
    character(len=*), intent(inout) :: a
    character(len=*), intent(in) :: b
    a = b(1:2) // a(1:2)
  end subroutine
end program
