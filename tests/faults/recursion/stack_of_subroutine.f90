! told at 5:26: Stack overflow in procedure 's'
program fault
  call s(1)
contains
    recursive subroutine s(n)
      integer, intent(in) :: n
      integer :: a(100)
      a = n
      call s(a(1) + 1)
      if (a(2) < 0) print *, a
    end subroutine
end program
