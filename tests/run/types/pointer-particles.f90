! Particles: pointers to elements and sections of arrays of structures.
program p
  implicit none
  type particle
    real(8) :: pos(3), vel(3)
    real(8) :: mass
    integer :: id
  end type
  type cellp
    type(particle), pointer :: p
  end type
  integer, parameter :: n = 50
  type(particle), target :: ps(n)
  type(particle), allocatable, target :: heap(:)
  type(cellp) :: list(5)
  type(particle), pointer :: q, r(:)
  real(8) :: e, d(3)
  integer :: i, j, s
  do i = 1, n
    ps(i)%pos = [sin(real(i, 8)), cos(real(i, 8)), real(i, 8) / n]
    ps(i)%vel = 0
    ps(i)%mass = 1d0 + mod(i, 3)
    ps(i)%id = i
  end do
  do s = 1, 3
    do i = 1, n
      do j = 1, n
        if (i == j) cycle
        d = ps(j)%pos - ps(i)%pos
        ps(i)%vel = ps(i)%vel + 1d-4 * ps(j)%mass * d / (sum(d * d) + 0.1d0)
      end do
    end do
    do i = 1, n
      ps(i)%pos = ps(i)%pos + ps(i)%vel
    end do
  end do
  e = 0
  do i = 1, n
    e = e + 0.5d0 * ps(i)%mass * dot_product(ps(i)%vel, ps(i)%vel)
  end do
  print '(es20.10)', e
  print '(3es16.8)', ps(n)%pos, sum(ps%mass), maxval(ps%pos(1))
  do i = 1, 5
    list(i)%p => ps(10 * i)
  end do
  do i = 1, 5
    list(i)%p%mass = list(i)%p%mass * 2
    q => list(i)%p
    print *, q%id, q%mass
  end do
  allocate (heap(4), source=ps(1:4))
  r => heap(2:4)
  r%id = r%id * 100
  print *, heap%id, r(2)%mass, size(r)
  r => ps(1:n:10)
  print *, r%id
  r(2:3)%mass = -1
  print *, ps(11)%mass, ps(21)%mass, sum(r%mass)
  print *, any(r%mass < 0), count(ps%mass > 2)
end program
