! Automatic arrays: bounds from arguments, expressions, other arrays' sizes.
program proc_automatic
  implicit none
  integer :: data(7), i
  do i = 1, 7
    data(i) = i * i
  end do
  call work(data, 7)
  call work(data, 3)
  call work(data, 0)
contains
  subroutine work(v, n)
    integer, intent(in) :: n
    integer, intent(in) :: v(n)
    integer :: copy(n), twice(2 * n, -1:1), k
    double precision :: half(size(v) / 2)
    do k = 1, n
      copy(n + 1 - k) = v(k)
    end do
    twice = 1
    twice(:, 0) = n
    half = 0.5d0
    print *, n, sum(copy), sum(twice), sum(half), size(half)
    if (n > 0) print *, copy
  end subroutine work
end program
