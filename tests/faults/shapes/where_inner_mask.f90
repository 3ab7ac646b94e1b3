! told at 11:14: Array bound mismatch for dimension 1 of the operand (3/4)
program fault
  call s(3, 4)
contains
  subroutine s(n, k)
    integer, intent(in) :: n, k
    real :: a(n), b(k)
    a = 1
    b = 1
    where (a > 0)
      where (b > 0)
        a = 2
      end where
    end where
    print *, a
  end subroutine
end program
