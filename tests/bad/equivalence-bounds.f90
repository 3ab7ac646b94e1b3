! EQUIVALENCE elements outside of the array, or with too few subscripts.
program equivalence_bounds
  implicit none
  integer :: a(3), b(2, 2), c
  equivalence (a(4), c)
  equivalence (b(1, 3), c)
end program
