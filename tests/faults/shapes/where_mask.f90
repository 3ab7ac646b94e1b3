! told at 11:15: Array bound mismatch for dimension 1 of array 'a' (3/4)
program fault
  call s(3)
contains
  subroutine s(n)
    integer, intent(in) :: n
    real :: a(4)
    logical :: m(n)
    a = 1
    m = .true.
    where (m) a = 2
    print *, a
  end subroutine
end program
