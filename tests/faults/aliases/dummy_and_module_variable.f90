! told at 12:7: 'n'
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
