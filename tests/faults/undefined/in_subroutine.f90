! told at 8:15: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  call s
contains
    subroutine s
      integer :: n, m
      m = 2 * n
      print *, m
    end subroutine
end program
