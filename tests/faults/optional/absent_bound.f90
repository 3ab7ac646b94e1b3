! told at 8:17: Optional argument 'n' is not present
program fault
  call s
contains
    subroutine s(n)
      integer, intent(in), optional :: n
      integer :: i
      do i = 1, n
        print *, i
      end do
    end subroutine
end program
