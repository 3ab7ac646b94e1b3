! told at 15:15: 'from' is used, and 'to', which is the same storage, is defined at array_passed_twice.f90:15:7
! flags: -fcheck=alias
program fault
  real :: a(5)
  a = 1
  call shift(a, a, 5)
  print *, a
contains
  subroutine shift(to, from, n)
    integer, intent(in) :: n
    real, intent(out) :: to(n)
    real, intent(in) :: from(n)
    integer :: i
    do i = 2, n
      to(i) = from(i-1)
    end do
    to(1) = 0
  end subroutine
end program
