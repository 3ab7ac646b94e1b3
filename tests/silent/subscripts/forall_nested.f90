program right
  integer, parameter :: n = 4
  integer :: a(n, n), b(n), i, j, k, c(n, n, n)
  integer, allocatable :: q(:, :)
  b = [(n + 1 - i, i = 1, n)]
  allocate (q(n, n))
  q = 7
  a = 0
  forall (i = 1:n)
    forall (j = 1:i, b(j) > 1)
      a(b(i), j) = q(j, i) + i * j
    end forall
  end forall
  print *, a
  forall (i = 1:n)
    forall (j = 1:b(i))
      forall (k = 1:n:i) c(k, j, i) = a(j, i) + k
    end forall
  end forall
  print *, c(1, 1, 1), c(n, 1, 1)
end program
