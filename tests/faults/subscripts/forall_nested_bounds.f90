! told at 7:21, where i = 3: Index '3' of dimension 1 of array 'n' above upper bound of 2
program fault
  integer :: a(3, 3), n(2), i, j
  a = 0
  n = 2
  forall (i = 1:3)
    forall (j = 1:n(i))
      a(j, i) = 1
    end forall
  end forall
  print *, a
end program
