! told at 12:19, where i = 6: Index '6' of dimension 1 of array 'x' above upper bound of 5
program fault
  real :: a(5) = 1
  call s(a, 6)
contains
    subroutine s(x, n)
      real :: x(*), t
      integer, intent(in) :: n
      integer :: i
      t = 0
      do i = 1, n
        t = t + x(i)
      end do
      print *, t
    end subroutine
end program
