! told at 5:11: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: n
  call s((n))
contains
    subroutine s(k)
      integer, intent(in) :: k
      print *, k
    end subroutine
end program
