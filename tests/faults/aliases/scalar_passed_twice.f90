! told at 13:13: 'b' is used, and 'a', which is the same storage, is defined at scalar_passed_twice.f90:12:5
! flags: -fcheck=alias
program fault
  integer :: n
  n = 1
  call add(n, n)
  print *, n
contains
  subroutine add(a, b)
    integer, intent(inout) :: a
    integer, intent(in) :: b
    a = a + 1
    a = a + b
  end subroutine
end program
