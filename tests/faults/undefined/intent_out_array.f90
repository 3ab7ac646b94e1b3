! told at 14:14, where i = 2: Variable 'a' is used before it has a value: element (2)
! flags: -fcheck=undefined
program fault
  real :: x(4)
  x = 1
  call s(x)
  print *, x
contains
  subroutine s(a)
    real, intent(out) :: a(4)
    integer :: i
    a(1) = 0
    do i = 2, 4
      a(i) = a(i) + a(i-1)
    end do
  end subroutine
end program
