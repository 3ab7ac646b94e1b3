! ALLOCATE and DEALLOCATE in a loop, STAT=, bounds, zero size, freed at return.
program allocatable_local
  implicit none
  integer, allocatable :: a(:), b(:, :)
  integer :: i, status
  do i = 0, 3
    allocate (a(i), b(i, -i:i), stat=status)
    a = i
    b = 2
    print *, i, status, size(a), shape(b), sum(a), sum(b)
    deallocate (a, b)
  end do
  allocate (a(2))
  allocate (a(3), stat=status)
  print *, status /= 0, size(a)
  deallocate (a)
  deallocate (a, stat=status)
  print *, status /= 0, allocated(a)
  do i = 1, 2
    call local(i)
  end do
contains
  subroutine local(n)
    integer, intent(in) :: n
    double precision, allocatable :: w(:)
    print *, allocated(w)
    allocate (w(10 * n))
    w = n
    print *, allocated(w), sum(w)
  end subroutine local
end program
