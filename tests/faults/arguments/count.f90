! told at 4:13: argument
program fault
  integer :: k = 1
  call s(k, k)
contains
    subroutine s(k)
      integer :: k
      print *, k
    end subroutine
end program
