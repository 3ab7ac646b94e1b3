! told at 10:31: Argument 'vector' of intrinsic 'pack' has too few elements (2/4)
program fault
  integer :: a(4) = 1, k
  k = 2
  call s(k)
contains
    subroutine s(n)
      integer :: n, v(n)
      v = 0
      print *, pack(a, a > 0, v)
    end subroutine
end program
