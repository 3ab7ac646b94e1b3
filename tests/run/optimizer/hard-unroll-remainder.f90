! Every trip count from 0 to 9 for loops an optimizer unrolls.
program hard_unroll_remainder
  implicit none
  integer :: a(0:12), b(12), n, i, s, p
  double precision :: d
  do n = 0, 9
    a = 0
    s = 0
    p = 1
    d = 0.0d0
    do i = 1, n
      a(i) = a(i - 1) + i
      s = s + a(i)
      d = d * 0.5d0 + i
    end do
    do i = n, 1, -1
      b(i) = a(i) * p
      p = -p
    end do
    do i = 1, n, 3
      s = s + 1000
    end do
    print *, n, s, p, d, a(n), sum(b(1:n)), i
  end do
end program
