! told at 5:12: Dangling pointer 'p'
program fault
  real, pointer :: p(:)
  p => values(4)
  print *, p(2)
contains
  function values(n) result(r)
    integer, intent(in) :: n
    real, pointer :: r(:)
    real, target :: x(n)
    x = 3
    r => x
  end function
end program
