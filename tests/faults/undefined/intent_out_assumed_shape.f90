! told at 12:13: Variable 'x' is used before it has a value: 3 of its elements have none
! flags: -fcheck=undefined
program fault
  integer :: k(5)
  k = 2
  call s(k)
  print *, k
contains
  subroutine s(x)
    integer, intent(out) :: x(:)
    x(1) = 1
    x(2:) = x(1:size(x)-1)
  end subroutine
end program
