! told at 15:10: Index '3' of dimension 2 of array 'w' above upper bound of 2
program fault
  call outer(3)
contains
  subroutine outer(n)
    integer, intent(in) :: n
    real :: work(2 * n)
    work = 0
    call inner(work, n)
  end subroutine
  subroutine inner(w, n)
    integer, intent(in) :: n
    real, intent(inout) :: w(n, *)
    w(n, 2) = 1
    w(n, 3) = 1
  end subroutine
end program
