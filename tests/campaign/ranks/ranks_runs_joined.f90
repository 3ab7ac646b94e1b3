! -O2 3 ranks
! file main.f90
module m
implicit none
integer, parameter :: n = 14
real(8) :: a(n, n), b(n, n), g(n, n), h(n, n), x(n), y(n), z(n), w(n), s
real(8) :: d2(n, n), d3(n, n), d1(n)
integer :: q(n), nn, mm, jlim, nb
!HPF$ DISTRIBUTE g(CYCLIC(3), CYCLIC(3))
!HPF$ DYNAMIC d2, d3, d1
!HPF$ DISTRIBUTE d2(BLOCK, BLOCK)
!HPF$ DISTRIBUTE d3(CYCLIC, CYCLIC)
!HPF$ DISTRIBUTE d1(CYCLIC)
contains
subroutine p1
real(8) :: own(n)
integer :: i, j, ip, iw
real(8) :: r, t
r = 0
iw = 4
do i = 1, n
own(i) = i
end do
do j = 3, nn - 2
do i = 3, jlim
if (g(i + 2, j) > 3d0) g(i, j) = 0.15625d0 * d2(12, j + 1) + 4d0
d3(j + 1, i + 1) = 0.03125d0 * g(i - 1, j) + 0.234375d0 * b(i, j - 1) + 0d0
end do
end do
end subroutine
end module
program prog
use m
implicit none
integer, parameter :: nc = n
real(8) :: ca(nc, nc), cb(nc, nc), cx(nc), cs
common /cc/ ca, cb, cs, cx
integer :: i, j, ip, iw
real(8) :: r, t
integer :: it
external p2, p3, p5
nn = n; mm = n - 3; jlim = n - 2; nb = n / 2 + 1; s = 1; cs = 1; r = 0; iw = 1
do j = 1, n
 do i = 1, n
  a(i, j) = mod(i * j, 7); b(i, j) = i - j; g(i, j) = i; h(i, j) = j
d2(i, j) = i - j; d3(i, j) = mod(i + 2 * j, 5); ca(i, j) = i + j; cb(i, j) = mod(i + j, 3)
 end do
x(j) = j; y(j) = -j; z(j) = mod(j, 4); w(j) = mod(j, 3); d1(j) = j; cx(j) = j * 0.5d0
q(j) = mod(j * 3, n) + 1
end do
do it = 1, 3
call p1
do j = 3, mm
do i = 3, n - 2
a(i, j) = 0.203125d0 * b(i - 1, j - 2) + 0.25d0 * ca(i - 1, j - 1) + 0d0
if (h(i + 1, j + 2) > 3d0) ca(i + 1, j - 1) = 0.109375d0 * h(i + 1, j + 2) + 0.015625d0 * b(i, j - 2) + 0.046875d0 * g(i, j + 2) + 1d0
t = cb(n + 1 - i, j)
end do
end do
end do
print *, a
end program
! file p2.f90
! file p3.f90
! file p5.f90
