! PURE and ELEMENTAL procedures in nests: they are inlined before owners are looked for, and are called elsewhere, too.
module physics
  implicit none
  integer, parameter :: n = 24
  double precision :: scale = 0.5d0
contains
  elemental function flux(u) result(f)
    double precision, intent(in) :: u
    double precision :: f
    f = scale*u*u + 0.1d0*u
  end function
  pure function limiter(a, b) result(r)
    double precision, intent(in) :: a, b
    double precision :: r
    if (a*b > 0) then
      r = 2*a*b/(a + b)
    else if (abs(a) > 1) then
      r = flux(b)
    else
      r = 0
    end if
  end function
  elemental integer function class(x)
    double precision, intent(in) :: x
    select case (int(abs(x)))
    case (0)
      class = 0
    case (1:2)
      class = 1
    case default
      class = 2
    end select
  end function
  ! One with a loop, one with an early return, and one with an argument that it changes.
  pure double precision function horner(c, x)
    double precision, intent(in) :: c(3), x
    integer :: k
    horner = 0
    do k = 3, 1, -1
      horner = horner*x + c(k)
    end do
  end function
  pure double precision function early(x)
    double precision, intent(in) :: x
    early = x
    if (x < 1) return
    early = sqrt(x)
  end function
  elemental subroutine update(x, d)
    double precision, intent(inout) :: x
    double precision, intent(in), optional :: d
    if (present(d)) then
      x = x + 0.01d0*d
    else
      x = x*0.5d0
    end if
  end subroutine
  pure subroutine nothing(x)
    double precision, intent(in) :: x
  end subroutine
end module
program procedures_in_nests
  use physics
  implicit none
  double precision :: u(n,n), v(n,n), w(n,n), z(n), s, t, c(3) = (/ 1d0, 0.5d0, 0.25d0 /)
  integer :: k(n,n), i, j, step, place
!hpf$ distribute u(*, block)
!hpf$ align (i,j) with u(i,j) :: v, w, k
!hpf$ distribute z(cyclic)
  do j = 1, n
    do i = 1, n
      u(i,j) = mod(i*7 + j*3, 11)*0.3d0
    end do
    z(j) = early(j*0.25d0)
  end do
  v = 0
  w = 0
  k = 0
  do step = 1, 3
    do j = 2, n-1
      do i = 2, n-1
        v(i,j) = flux(u(i,j+1)) - flux(u(i,j-1)) + horner(c, u(i,j))
        call nothing(u(i,j-1))
      end do
    end do
    w = flux(v) + w/2
    do j = 2, n-1
      do i = 2, n-1
        w(i,j) = w(i,j) + limiter(u(i,j) - u(i,j-1), u(i,j+1) - u(i,j))
        if (class(w(i,j)) == 1) w(i,j) = early(w(i,j))
        k(i,j) = k(i,j) + class(u(i,j-1))
      end do
    end do
    where (w > 1) w = flux(w - 1)
    where (w(2:n,2:n) > 0.5d0)
      v(2:n,2:n) = limiting(w(1:n-1,2:n), v(2:n,1:n-1))
    elsewhere
      v(2:n,2:n) = flux(v(2:n,2:n))
    end where
    forall (i = 2:n, j = 2:n, u(i,j) > 1) u(i,j) = u(i,j)/2 + flux(u(i-1,j-1))/8
    call update(u, v)
    call update(u(:, 3:5))
    place = 2
    do i = 1, 5
      call advance(place, z(place + 1))
    end do
    do i = 2, n
      z(i) = early(z(i - 1)) + flux(z(i))/16
    end do
  end do
  s = 0
  do i = 1, 4
    s = s + flux(s) + limiter(s, 1d0) + class(s) + early(s)
  end do
  t = s
  call update(t)
  print *, s, t, place
  print *, sum(k), sum(z)
  print *, u(17,3), v(3,17), w(9,9)
  print *, u
contains
  elemental function limiting(a, b) result(r)
    double precision, intent(in) :: a, b
    double precision :: r
    r = limiter(a, b)
  end function
  subroutine advance(p, x)
    integer :: p
    double precision :: x
    p = p + 1
    x = x + p
  end subroutine
end program
