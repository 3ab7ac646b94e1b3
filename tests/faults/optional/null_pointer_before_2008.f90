! told at 7:14: Pointer actual argument 'limit' is not associated
! flags: -std=f95
program fault
  integer, pointer :: limit
  nullify (limit)
  ! Fortran 2008 takes it for an absent argument.
  call count(limit)
contains
    subroutine count(most)
      integer, optional :: most
      if (present(most)) print *, most
    end subroutine
end program
