! told at 12:11: Variable 'last' is used before it has a value
! flags: -fcheck=undefined
program fault
  call s(0)
contains
    subroutine s(n)
      integer, intent(in) :: n
      integer :: last, i, k
      do i = 1, n
        last = i
      end do
      k = last + 1
      print *, k
    end subroutine
end program
