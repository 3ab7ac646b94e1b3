! A loop of which two iterations are done at a time, each of which adds one converted value: fewer than a vector has lanes.
subroutine add(b, e, p, q, n, m, k, j)
  integer :: n, m, i, j
  integer(8) :: p(*), q(*), k
  real(8) :: b(*)
  real(4) :: e(*)
  do i = 1, n
    j = j + int(b(i))
    p(i) = max(7_8, p(i + m)) + ior(q(i + 2), k)
    e(i + m) = 0.5
  end do
end subroutine

program short_sums
  implicit none
  real(8) :: b(40)
  real(4) :: e(40)
  integer(8) :: p(40), q(40), k
  integer :: i, j, m, n
  do n = 0, 19
    do m = 0, 6, 3
      do i = 1, 40
        b(i) = i * 1.75d0 - 6
        p(i) = 3 * i
        q(i) = 11 * i
        e(i) = 0
      end do
      j = 1
      k = 5
      call add(b(4), e(4), p(4), q(4), n, m, k, j)
      print *, n, m, j, sum(p), sum(e)
    end do
  end do
end program
