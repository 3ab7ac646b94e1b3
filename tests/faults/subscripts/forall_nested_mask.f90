! told at 7:24, where j = 3, i = 2: Index '4' of dimension 1 of array 'b' above upper bound of 3
program fault
  integer :: a(3, 3), b(3), i, j
  a = 0
  b = 1
  forall (i = 1:3)
    forall (j = 1:3, b(i + j - 1) > 0)
      a(j, i) = 1
    end forall
  end forall
  print *, a
end program
