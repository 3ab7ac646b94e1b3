! told at 8:9: Optional argument 'k' is not present
program fault
  integer :: a(3) = 1
  call s
contains
    subroutine s(k)
      integer, intent(in), optional :: k
      a(k) = 2
    end subroutine
end program
