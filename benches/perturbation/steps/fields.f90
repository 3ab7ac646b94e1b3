subroutine edges(h, u, v, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: h(0:n+1, 0:n+1), u(0:n+1, 0:n+1), v(0:n+1, 0:n+1)
  integer :: k
  do k = 1, n
    h(0, k) = h(1, k)
    h(n + 1, k) = h(n, k)
    u(0, k) = -u(1, k)
    u(n + 1, k) = -u(n, k)
  end do
  do k = 1, n
    h(k, 0) = h(k, 1)
    h(k, n + 1) = h(k, n)
    v(k, 0) = -v(k, 1)
    v(k, n + 1) = -v(k, n)
  end do
end subroutine

subroutine advance(h, u, v, n, dt)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: dt
  real(8), intent(inout) :: h(0:n+1, 0:n+1), u(0:n+1, 0:n+1), v(0:n+1, 0:n+1)
  real(8) :: slope
  integer :: i, j
  do j = 1, n
    do i = 1, n
      u(i, j) = u(i, j) - dt * (h(i + 1, j) - h(i - 1, j))
      v(i, j) = v(i, j) - dt * (h(i, j + 1) - h(i, j - 1))
    end do
  end do
  do j = 1, n
    do i = 1, n
      slope = u(i + 1, j) - u(i - 1, j) + v(i, j + 1) - v(i, j - 1)
      if (slope > 0.5d0) slope = 0.5d0
      h(i, j) = h(i, j) - dt * slope * h(i, j)
    end do
  end do
end subroutine

subroutine measure(h, u, v, n, energy, wet)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: h(0:n+1, 0:n+1), u(0:n+1, 0:n+1), v(0:n+1, 0:n+1)
  real(8), intent(out) :: energy
  integer, intent(out) :: wet
  integer :: i, j
  energy = 0d0
  wet = 0
  do j = 1, n
    do i = 1, n
      if (h(i, j) <= 0.01d0) cycle
      wet = wet + 1
      energy = energy + h(i, j)**2 + h(i, j) * (u(i, j)**2 + v(i, j)**2)
    end do
  end do
end subroutine
