! Quotients and remainders that nothing computes, since a condition is false or a loop does not run: the divisor is zero.
program divisions_not_reached
  implicit none
  real(8) :: a(100), b(10, 10)
  integer :: k, n, z, words
  words = command_argument_count()
  a = 0
  b = 0
  n = 4
  k = 5
  z = words
  call arms(a, k, n, z)
  call loops(a, b, k, n, z)
  call locals(words)
  z = words + 2
  call arms(a, k, n, z)
  call loops(a, b, k, n, z)
  print *, sum(a), sum(b)
contains
  subroutine arms(a, k, n, z)
    real(8), intent(inout) :: a(*)
    integer, intent(in) :: k, n, z
    integer :: i
    do i = 1, k
      if (a(i) < z) a(i + n/z) = a(i + n/z) + 1
    end do
    do i = 1, k
      if (a(i) < z) a(i*(n/z)) = a(i*(n/z)) + 2
    end do
    do i = 1, k
      if (a(i) < z) then
        a(mod(n + 1, z) + i) = n/z
      else
        a(i) = a(i)*0.5d0
      end if
    end do
  end subroutine

  subroutine loops(a, b, k, n, z)
    real(8), intent(inout) :: a(*), b(10, *)
    integer, intent(in) :: k, n, z
    integer :: i, j
    do i = 1, min(k, z)
      a(i*(n/z)) = a(i*(n/z)) + 4
    end do
    do j = 1, min(k, z)
      do i = 1, k
        b(i, j*(n/z)) = b(i, j + n/z) + mod(n, z) + 1
      end do
    end do
    do j = 1, k
      do i = 1, z
        b(j, i + modulo(n, z)) = b(i*(n/z), j) + 1
      end do
    end do
  end subroutine

  subroutine locals(words)
    integer, intent(in) :: words
    real(8) :: a(100)
    integer :: i, k, n, z
    a = 0
    z = 0
    k = 5
    n = 4
    if (words > 5) then
      z = 2
      k = 3
      n = 8
    end if
    do i = 1, k
      if (a(i) < -z) a(i + n/z) = a(i + n/z) + 1
    end do
    do i = 1, k
      if (a(i) < -z) a(i*(n/z)) = a(i) + 1
    end do
    do i = 1, z
      a(i*(n/z)) = a(mod(n, z) + i) + 1
    end do
    print *, sum(a)
  end subroutine
end program
