! The next generation of a game of life.
subroutine next(g, h, n)
  implicit none
  integer, intent(in) :: n
  integer, intent(in) :: g(0:n + 1, 0:n + 1)
  integer, intent(out) :: h(n, n)
  integer :: i, j, c
  do j = 1, n
    do i = 1, n
      c = g(i-1, j-1) + g(i, j-1) + g(i+1, j-1) + g(i-1, j) + g(i+1, j) + g(i-1, j+1) + g(i, j+1) + g(i+1, j+1)
      if (g(i, j) == 1) then
        if (c < 2 .or. c > 3) then
          h(i, j) = 0
        else
          h(i, j) = 1
        end if
      else if (c == 3) then
        h(i, j) = 1
      else
        h(i, j) = 0
      end if
    end do
  end do
end subroutine
