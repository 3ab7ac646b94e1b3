! told at 10:11: 'n'
! flags: -fcheck=undefined
program fault
  integer :: n
  n = 3
  call s(n)
contains
    subroutine s(n)
      integer, intent(out) :: n
      if (n > 2) print *, 'large'
    end subroutine
end program
