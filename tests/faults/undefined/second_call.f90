! told at 11:11: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  call s(.true.)
  call s(.false.)
contains
    subroutine s(first)
      logical, intent(in) :: first
      integer :: n
      if (first) n = 1
      if (n > 0) print *, 'positive'
    end subroutine
end program
