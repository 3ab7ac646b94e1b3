! The greatest, the least, sums and bits of integers over loops of every length
program found
  implicit none
  integer, parameter :: n = 70
  integer :: k(n), m(n), i, last, most, least, total, bits, ones, odd
  integer(8) :: u(n), all
  do i = 1, n
    k(i) = mod(i * 31, 67) - 50
    m(i) = mod(i * 7, 19)
    u(i) = i * 100000000000_8
  end do
  do last = 16, 24
    most = -1000
    least = 1000
    total = 5
    bits = -1
    ones = 0
    odd = 1
    all = 3
    do i = 2, last
      most = max(k(i) * 3, most)
      least = min(least, k(i + 1))
      total = total - (k(i) + m(i))
    end do
    do i = last, 2, -1
      bits = iand(bits, ior(m(i), 16))
      ones = ior(ones, k(i))
      odd = ieor(odd, m(i))
      m(i) = m(i) + 1
    end do
    do i = 1, last
      all = all + u(i)
      u(i) = u(i) - 1
    end do
    print '(6i9, i16)', most, least, total, bits, ones, odd, all
  end do
end program
