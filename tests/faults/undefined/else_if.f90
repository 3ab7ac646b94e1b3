! told at 14:11: Variable 'k' is used before it has a value
! flags: -fcheck=undefined
program fault
  call s(3)
contains
    subroutine s(n)
      integer, intent(in) :: n
      integer :: k, m
      if (n == 1) then
        k = 1
      else if (n == 2) then
        k = 2
      end if
      m = k
      print *, m
    end subroutine
end program
