! told at 10:5: 'a' is defined, and 'b', which is the same storage, is used at read_before.f90:9:14
! flags: -fcheck=alias
program fault
  real :: x = 1
  call s(x, x)
contains
  subroutine s(a, b)
    real :: a, b
    print *, b
    a = 2
  end subroutine
end program
