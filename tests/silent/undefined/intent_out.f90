program right
  integer :: n, k(4), total
  call s(n, k, total)
  print *, n, k, total
contains
  subroutine s(n, k, total)
    integer, intent(out) :: n, k(:), total
    integer :: i
    do i = 1, size(k)
      k(i) = i
    end do
    n = k(2)
    call t(total)
    n = n + total
  end subroutine
  subroutine t(x)
    integer, intent(out) :: x
    x = 3
    x = x + 1
  end subroutine
end program
