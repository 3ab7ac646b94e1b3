! told at 12:16: Array bound mismatch for dimension 1 of the operand (3/4)
program fault
  call s(3, 4)
contains
  subroutine s(n, k)
    integer, intent(in) :: n, k
    real :: a(n), b(k)
    a = 1
    b = 1
    where (a > 2)
      a = 2
    elsewhere (b > 0)
      a = 3
    end where
    print *, a
  end subroutine
end program
