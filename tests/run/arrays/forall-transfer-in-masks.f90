! TRANSFER and array constructors in masks and values of FORALL and WHERE: code is needed before them, which is not the same for all indices.
program p
  implicit none
  character(4) :: c(4) = ['a   ', 'b   ', 'c   ', 'd   ']
  integer :: i, j, a(4) = 0, b(4) = 0
  forall (i = 1:4, transfer(c(i), 1) > transfer('b   ', 1)) a(i) = i
  print *, a
  forall (i = 1:4, sum([(j * i, j = 1, i)]) > 10) b(i) = sum([(j, j = 1, i)])
  print *, b
  forall (i = 1:4) a(i) = transfer(c(i), 1) / 16777216
  print *, a
  where (transfer(c, [1, 2]) > transfer('b   ', 1)) b = transfer(c, b) / 16777216
  print *, b
  where (b > [(i * 5, i = 1, 4)])
    b = [(i, i = 4, 1, -1)]
  elsewhere
    b = transfer(c, b) / 100000000
  end where
  print *, b
end program
