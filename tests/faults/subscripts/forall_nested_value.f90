! told at 8:19, where j = 3, i = 1: Index '4' of dimension 1 of array 'b' above upper bound of 3
program fault
  integer :: a(3, 3), b(3), i, j, k(3)
  b = 1
  k = [1, 2, 4]
  forall (i = 1:3)
    forall (j = 1:3)
      a(j, i) = b(k(j))
    end forall
  end forall
  print *, a
end program
