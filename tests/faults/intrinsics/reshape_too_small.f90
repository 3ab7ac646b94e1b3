! told at 10:11: Incorrect size in SOURCE argument to RESHAPE intrinsic
program fault
  integer :: n
  n = 3
  call s(n)
contains
    subroutine s(n)
      integer :: n, a(n), b(2, 2)
      a = 1
      b = reshape(a, [2, 2])
      print *, b
    end subroutine
end program
