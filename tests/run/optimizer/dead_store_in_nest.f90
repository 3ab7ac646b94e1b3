! The counts of a conditional are made of stores that nothing else reads, in loops that are interchanged.
program dead_store_in_nest
  implicit none
  double precision :: a(9, 9)
  a = 0
  call nest(a, 5, 6)
  print '(f12.4)', sum(a)
contains
  subroutine nest(a, n, m)
    double precision, intent(inout) :: a(9, 9)
    integer, intent(in) :: n, m
    integer :: ix(9), iy(9), i, j, k
    do i = 1, n
      do j = 1, m
        a(i, j) = 0.5d0*i
        ix(3) = i + j
        iy(4) = i + 2*j
        k = iy(4) + 3*ix(3)
        if (mod(k, 4) == 1) then
        end if
      end do
    end do
  end subroutine
end program
