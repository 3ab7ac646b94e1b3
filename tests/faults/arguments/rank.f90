! told at 4:10: rank
program fault
  integer :: k = 1
  call s(k)
contains
    subroutine s(k)
      integer :: k(:)
      print *, k
    end subroutine
end program
