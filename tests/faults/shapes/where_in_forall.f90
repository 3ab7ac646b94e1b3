! told at 13:19, where i = 1: Array bound mismatch for dimension 1 of array 'b' (4/5)
program fault
  call s(5)
contains
  subroutine s(n)
    integer, intent(in) :: n
    real :: a(4, 2), b(n)
    integer :: i
    a = 1
    b = 3
    forall (i = 1:2)
      where (a(:, i) > 0)
        a(:, i) = b
      end where
    end forall
    print *, a
  end subroutine
end program
