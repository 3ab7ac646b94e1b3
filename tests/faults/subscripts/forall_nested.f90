! told at 7:9, where j = 4, i = 1: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3, 3) = 1, i, j, n
  n = 4
  forall (i = 1:3)
    forall (j = 1:n)
      a(j, i) = 2
    end forall
  end forall
  print *, a
end program
