! FORALL with an index array and with a pure function of the index.
program forall_permute
  implicit none
  integer :: p(5), a(5), b(5), i
  p = (/ 3, 5, 1, 2, 4 /)
  a = (/ (i * i, i = 1, 5) /)
  forall (i = 1:5) b(p(i)) = a(i)
  print *, b
  forall (i = 1:5) p(p(i)) = i
  print *, p
  forall (i = 1:5) a(i) = weight(i) + a(6 - i)
  print *, a
contains
  pure integer function weight(k)
    integer, intent(in) :: k
    weight = 1000 * k
  end function weight
end program
