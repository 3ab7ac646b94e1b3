! told at 10:18: Argument 'vector' of intrinsic 'unpack' has too few elements
program fault
  integer :: n
  n = 2
  call s(n)
contains
    subroutine s(n)
      integer :: n, v(n), a(4)
      v = 1
      a = unpack(v, a == a, 0)
      print *, a
    end subroutine
end program
