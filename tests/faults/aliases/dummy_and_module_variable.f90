! told at 13:16: 'k' is used, and 'n', which is the same storage, is defined at dummy_and_module_variable.f90:12:7
! flags: -fcheck=alias
module m
  integer :: n = 1
end module
program fault
  use m
  call s(n)
contains
    subroutine s(k)
      integer :: k
      n = 2
      print *, k
    end subroutine
end program
