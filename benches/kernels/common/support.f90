! Data and sums that all kernels use.
module support
  implicit none
  integer :: seed = 12345
contains
  ! The next of a fixed sequence of numbers in 0 .. 2**24 - 1.
  integer function draw()
    seed = int(iand(seed * 1103_8 + 12345, 16777215_8))
    draw = seed
  end function

  ! Numbers between 0 and 1, neither of them included.
  subroutine fill(x, n)
    integer, intent(in) :: n
    real(8), intent(out) :: x(n)
    integer :: i
    do i = 1, n
      x(i) = (draw() + 0.5d0) / 16777216d0
    end do
  end subroutine

  subroutine fill_short(x, n)
    integer, intent(in) :: n
    real(4), intent(out) :: x(n)
    integer :: i
    do i = 1, n
      x(i) = real((draw() / 4 + 0.5) / 4194304.0)
    end do
  end subroutine

  ! Integers between 0 and most - 1.
  subroutine fill_integers(k, n, most)
    integer, intent(in) :: n, most
    integer, intent(out) :: k(n)
    integer :: i
    do i = 1, n
      k(i) = mod(draw() / 16, most)
    end do
  end subroutine

  ! The numbers 1 .. n in a fixed disorder.
  subroutine shuffle(k, n)
    integer, intent(in) :: n
    integer, intent(out) :: k(n)
    integer :: i, j, t
    do i = 1, n
      k(i) = i
    end do
    do i = n, 2, -1
      j = mod(draw() / 16, i) + 1
      t = k(i)
      k(i) = k(j)
      k(j) = t
    end do
  end subroutine

  ! A sum in which each element has a weight of its own, so that elements that changed places are noticed.
  real(8) function total(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    integer :: i
    total = 0
    do i = 1, n
      total = total + x(i) * (1 + mod(i, 17))
    end do
  end function

  real(8) function total_short(x, n)
    integer, intent(in) :: n
    real(4), intent(in) :: x(n)
    integer :: i
    total_short = 0
    do i = 1, n
      total_short = total_short + x(i) * (1 + mod(i, 17))
    end do
  end function

  real(8) function total_integers(k, n)
    integer, intent(in) :: n
    integer, intent(in) :: k(n)
    integer :: i
    total_integers = 0
    do i = 1, n
      total_integers = total_integers + real(k(i), 8) * (1 + mod(i, 17))
    end do
  end function
end module
