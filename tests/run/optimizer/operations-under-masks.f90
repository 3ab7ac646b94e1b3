! Arms of conditions in vectors: operations under a mask, and what becomes of the lanes outside of it.
program operations_under_masks
  implicit none
  integer, parameter :: most = 75
  real(8) :: a(most), b(most), c(most), d(most)
  real(4) :: e(most), f(most), g(most)
  integer :: k(most), l(most), m(most)
  real(8) :: largest
  integer :: i, n
  largest = huge(largest)
  do i = 1, most
    a(i) = mod(i * 37, 23) - 11
    b(i) = mod(i * 29, 17) - 8
    e(i) = mod(i * 31, 19) - 9
    f(i) = mod(i * 41, 13) - 6
    k(i) = mod(i * 43, 29) - 14
    l(i) = mod(i * 47, 31) - 15
  end do
  do n = 1, most, 37
    call arms(a, b, c, n)
    call show('arms', c, n)
    call overwritten(a, b, c, n)
    call show('overwritten', c, n)
    call kept(a, b, c, n)
    call show('kept', c, n)
    call nested(a, b, c, n)
    call show('nested', c, n)
    call divided(a, b, c, n)
    call show('divided', c, n)
    call roots(a, b, c, n)
    call show('roots', c, n)
    call twice(a, b, c, d, n)
    call show('twice', c, n)
    call show('and', d, n)
    call zeros(a, b, c, n)
    call show('zeros', c, n)
    call infinite(a, c, largest * n, n)
    call show('infinite', c, n)
    call merged(a, b, c, n)
    call show('merged', c, n)
    call added(a, b, n)
    call short(e, f, g, n)
    call show('short', real(g, 8), n)
    call integers(k, l, m, n)
    print *, 'integers', n, sum(m(:n)), m(1), m(n)
  end do
contains
  subroutine arms(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: c(n)
    integer :: i
    do i = 1, n
      if (a(i) > b(i)) then
        c(i) = a(i) - b(i)
      else
        c(i) = b(i) * 2.5d0
      end if
    end do
  end subroutine

  subroutine overwritten(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: c(n)
    real(8) :: t, u
    integer :: i
    do i = 1, n
      t = a(i)
      u = b(i)
      if (t > u) then
        t = t - u
        u = t * u
      else
        u = u * 2.5d0
        t = t + u
      end if
      c(i) = t * 3 + u
    end do
  end subroutine

  subroutine kept(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(inout) :: c(n)
    integer :: i
    do i = 1, n
      if (a(i) * b(i) < 4) c(i) = c(i) + a(i) * b(i)
      if (.not. a(i) < 2) c(i) = c(i) - b(i)
    end do
  end subroutine

  subroutine nested(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: c(n)
    integer :: i
    do i = 1, n
      if (a(i) > 0) then
        if (b(i) > 0) then
          c(i) = a(i) + b(i)
        else
          c(i) = a(i) - b(i)
        end if
      else if (b(i) > 1) then
        c(i) = a(i) * b(i)
      else
        c(i) = (a(i) - b(i)) * (a(i) + b(i))
      end if
    end do
  end subroutine

  subroutine divided(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: c(n)
    integer :: i
    do i = 1, n
      if (b(i) /= 0) then
        c(i) = a(i) / b(i)
      else
        c(i) = a(i) - 0.5d0
      end if
    end do
  end subroutine

  subroutine roots(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: c(n)
    integer :: i
    do i = 1, n
      if (a(i) >= 0) then
        c(i) = sqrt(a(i)) + b(i)
      else
        c(i) = b(i) * b(i)
      end if
    end do
  end subroutine

  subroutine twice(a, b, c, d, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: c(n), d(n)
    integer :: i
    do i = 1, n
      if (a(i) < b(i)) then
        c(i) = a(i) * a(i)
        d(i) = a(i) - b(i)
      else
        c(i) = b(i) - a(i)
        d(i) = a(i) * b(i) + c(i)
      end if
    end do
  end subroutine

  subroutine zeros(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: c(n)
    integer :: i
    do i = 1, n
      if (a(i) < b(i)) then
        c(i) = (a(i) - a(i)) * b(i)
      else
        c(i) = -0d0
      end if
    end do
  end subroutine

  subroutine infinite(a, c, factor, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), factor
    real(8), intent(out) :: c(n)
    integer :: i
    do i = 1, n
      if (a(i) > 3) then
        c(i) = a(i) * factor
      else
        c(i) = a(i)
      end if
    end do
  end subroutine

  subroutine merged(a, b, c, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: c(n)
    logical :: is_less
    integer :: i
    do i = 1, n
      is_less = a(i) < b(i)
      c(i) = merge(a(i), b(i), is_less) * 2 + merge(a(i) - b(i), b(i) * 3, .not. is_less)
    end do
  end subroutine

  subroutine added(a, b, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8) :: s, t
    integer :: i
    s = 0
    t = 0
    do i = 1, n
      if (a(i) > b(i)) s = s + a(i) * b(i)
    end do
    do i = 1, n
      if (a(i) > 0) then
        t = t + (a(i) - b(i))
      else
        t = t - b(i) * 0.5d0
      end if
    end do
    print *, 'added', s, t
  end subroutine

  subroutine short(e, f, g, n)
    integer, intent(in) :: n
    real(4), intent(in) :: e(n), f(n)
    real(4), intent(out) :: g(n)
    integer :: i
    do i = 1, n
      if (e(i) <= f(i)) then
        g(i) = e(i) - f(i)
      else
        g(i) = f(i) * 1.5
      end if
    end do
  end subroutine

  subroutine integers(k, l, m, n)
    integer, intent(in) :: n
    integer, intent(in) :: k(n), l(n)
    integer, intent(out) :: m(n)
    integer :: i
    do i = 1, n
      if (k(i) > l(i)) then
        m(i) = k(i) + l(i)
      else
        m(i) = (k(i) - 3) * l(i)
      end if
    end do
  end subroutine

  subroutine show(name, x, n)
    character(*), intent(in) :: name
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    integer(8) :: bits
    integer :: i
    bits = 0
    do i = 1, n
      bits = ieor(ishftc(bits, 7), transfer(x(i), bits))
    end do
    print '(a, i4, i22)', name, n, bits
  end subroutine
end program
