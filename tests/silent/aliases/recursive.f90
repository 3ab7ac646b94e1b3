program right
  integer :: a(8), i
  a = [(mod(5*i, 8), i = 1, 8)]
  call sort(a, 8)
  print *, a
contains
  recursive subroutine sort(x, n)
    integer, intent(in) :: n
    integer, intent(inout) :: x(n)
    integer :: i, k, t
    if (n < 2) return
    k = 1
    do i = 2, n
      if (x(i) < x(1)) then
        k = k + 1
        t = x(i)
        x(i) = x(k)
        x(k) = t
      end if
    end do
    t = x(1)
    x(1) = x(k)
    x(k) = t
    call sort(x, k - 1)
    if (k < n) call sort(x(k+1), n - k)
  end subroutine
end program
