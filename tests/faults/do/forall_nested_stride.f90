! told at 7:21, where i = 1: The step of an index is zero
program fault
  integer :: a(3, 3), i, j, k
  a = 0
  k = 0
  forall (i = 1:3)
    forall (j = 1:3:k)
      a(j, i) = 1
    end forall
  end forall
  print *, a
end program
