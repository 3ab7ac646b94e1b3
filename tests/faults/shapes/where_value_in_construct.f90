! told at 13:11: Array bound mismatch for dimension 1 of array 'b' (4/5)
program fault
  call s(5)
contains
  subroutine s(n)
    integer, intent(in) :: n
    real :: a(4), b(n)
    logical :: m(4)
    m = .true.
    b = 3
    where (m)
      a = 0
      a = b
    end where
    print *, a
  end subroutine
end program
